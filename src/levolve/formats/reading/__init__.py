"""Reading of files from anywhere: one place for the budgets, and one reader each for bytes, text,
plain data, pictures, arrays and packed bytes.
"""
