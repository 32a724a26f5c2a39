"""`python -m trainwright`: the `trainwright` command of this interpreter."""

from __future__ import annotations

from trainwright.cli.main import main

if __name__ == "__main__":
    main()
