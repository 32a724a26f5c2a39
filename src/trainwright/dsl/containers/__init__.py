"""Components whose work is a command in a container."""
