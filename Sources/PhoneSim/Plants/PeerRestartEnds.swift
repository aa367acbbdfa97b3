package import Link

extension Plants {
  package static let peerRestartEnds = Plants(bit: 47)
}

extension Plant {
  package static let peerRestartEnds = Plant(
    "peer-restart-ends", .peerRestartEnds, in: [.phone],
    happened:
      "A watch app that crashed in a workout was started again without it, so the phone took a new "
      + "start for the end of the run (github.com/darrylcauldwell/TetraTrack/issues/143).",
    wrong:
      "A restart of the watch's app ends the run that is on.",
    right:
      "Only an update of the run itself changes what is believed of it: the restarted watch continues "
      + "its workout.",
    caughtBy: ["belief-is-newest"])
}
