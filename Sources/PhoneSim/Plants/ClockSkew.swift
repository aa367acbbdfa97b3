package import Link

extension Plants {
  package static let clockSkew = Plants(bit: 44)
}

extension Plant {
  package static let clockSkew = Plant(
    "clock-skew", .clockSkew, in: [.phone],
    happened:
      "The watch's clock was 90 s behind; freshness by wall time rejected every snapshot.",
    wrong:
      "A snapshot sent more than a minute before the phone's clock is treated as stale.",
    right:
      "Watch times are compared with watch times only; freshness depends on epoch and number.",
    caughtBy: ["freshness"])
}
