"""What is typed, understood: labels, amounts, fields and dice in hand."""
