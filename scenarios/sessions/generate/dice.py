"""Numbers that look random and are the same with every version of Python."""


class Dice:
    """A linear congruential generator (Knuth's MMIX)."""

    def __init__(self, seed):
        self.state = seed
        for _ in range(3):
            self.between(0, 1)

    def between(self, least, most):
        """Returns a whole number, both ends included."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return least + (self.state >> 33) % (most - least + 1)

    def of(self, items):
        """Returns one of the items."""
        return items[self.between(0, len(items) - 1)]

    def some(self, items, number):
        """Returns so many different items, in their order."""
        left = list(range(len(items)))
        taken = [left.pop(self.between(0, len(left) - 1)) for _ in range(number)]
        return [items[index] for index in sorted(taken)]

    def hash(self, digits):
        """Returns hexadecimal digits, such as those of a commit."""
        return "".join(self.of("0123456789abcdef") for _ in range(digits))
