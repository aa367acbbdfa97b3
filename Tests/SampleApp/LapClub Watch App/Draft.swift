/// A draft, which the project leaves out: with it the watch would have two of these.
final class WatchLink {}
