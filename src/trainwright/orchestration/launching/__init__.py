"""Launching: worker processes, and how requests and user code reach them."""
