import Link

/// The thread of local time: it jumps on a flight, and when the clocks change to summer time or back.
struct LocalTimeChapter: StoryChapter {
  private var coming: ArraySlice<TraceHeader.UTCOffset>
  private var current: TraceHeader.UTCOffset?

  /// - Parameter offsets: Of local time from UTC; those before the start are not told.
  init(offsets: [TraceHeader.UTCOffset]) {
    current = offsets.last { $0.time <= .start } ?? offsets.first
    coming = offsets.drop { $0.time <= .start }
  }

  mutating func observe(_ event: TraceEvent, into lines: inout [StoryLine]) {
    while let next = coming.first, next.time <= event.time {
      coming.removeFirst()
      if let before = current, before.seconds != next.seconds {
        let text = "local time is \(Self.name(next)) from now on, and no longer \(Self.name(before))"
        lines.add(next.time, .phone, text, .quiet)
      }
      current = next
    }
  }

  /// As in `UTC+5:30`.
  private static func name(_ offset: TraceHeader.UTCOffset) -> String {
    let minutes = offset.seconds.magnitude / 60
    let fraction = minutes % 60
    let text = fraction == 0 ? "" : fraction < 10 ? ":0\(fraction)" : ":\(fraction)"
    return "UTC\(offset.seconds < 0 ? "-" : "+")\(minutes / 60)\(text)"
  }
}
