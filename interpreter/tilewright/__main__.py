"""`python -m tilewright` is the command line."""

from tilewright.cli.main import main

if __name__ == "__main__":
    main()
