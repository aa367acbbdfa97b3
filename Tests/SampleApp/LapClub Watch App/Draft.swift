this is not Swift: the project leaves it out
