package import Link

extension Plants {
  /// A snapshot stamped more than a minute before the phone's clock is taken for stale.
  package static let clockSkew = Plants(bit: 44)
}

extension Plant {
  /// A snapshot stamped more than a minute before the phone's clock is taken for stale.
  package static let clockSkew = Plant(
    "clock-skew", .clockSkew, in: [.phone],
    happened:
      "The watch's clock was 90 s behind; freshness by wall time rejected every snapshot.",
    wrong:
      "A snapshot stamped more than a minute before the phone's clock is taken for stale.",
    right:
      "Watch times are compared with watch times only; freshness is a matter of epoch and number.",
    caughtBy: ["freshness"])
}
