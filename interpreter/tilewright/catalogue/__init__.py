"""What every diagnostic code means: plain data, a module `codes_NAME.py` for each family.

`codes.CODES` joins the families. It imports nothing of the package; nothing that only reports
a diagnostic loads it.
"""
