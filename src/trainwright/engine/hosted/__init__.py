"""What Ray and Beam have in common: worker processes that theirs host, and files for them."""
