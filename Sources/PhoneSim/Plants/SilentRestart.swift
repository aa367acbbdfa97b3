package import Link

extension Plants {
  package static let silentRestart = Plants(bit: 49)
}

extension Plant {
  package static let silentRestart = Plant(
    "silent-restart", .silentRestart, in: [.phone],
    happened:
      "After a restart of either app the phone showed the last heart rate, and did not notice that "
      + "nothing came any more (github.com/cagnulein/qdomyos-zwift/issues/3683).",
    wrong:
      "A restarted phone watches for silence only after the next update of the run.",
    right:
      "A phone that starts with a run on counts the silence from its start.",
    caughtBy: ["liveness-deadline"])
}
