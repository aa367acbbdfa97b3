import Link

/// A node that only sends and receives frames, to measure everything else.
struct BenchNode: NodeMachine {
  enum Part {
    /// Sends a number of frames at each call, for a number of calls.
    case source(batches: Int, batch: Int)
    /// Receives frames.
    case sink
    /// Sends a frame, and the next one when it comes back, this many in all.
    case ping(Int)
    /// Echoes frames.
    case echo
  }

  private let part: Part
  private let payload: [UInt8]
  private var left = 0
  private var seq: UInt64 = 0
  private(set) var nextDeadline: VirtualTime?

  init(_ part: Part, payloadBytes: Int = 0) {
    self.part = part
    payload = Array(repeating: 7, count: payloadBytes)
    switch part {
    case .source(let batches, _): left = batches
    case .ping(let count): left = count
    case .sink, .echo: break
    }
    if left > 0 { nextDeadline = .start + .milliseconds(1) }
  }

  mutating func receive(_ input: NodeInput?, at now: VirtualTime, into output: inout NodeOutput) {
    switch (part, input) {
    case (.source(_, let batch), nil):
      for _ in 0..<batch { send(payload, into: &output) }
      left -= 1
      nextDeadline = left > 0 ? now + .milliseconds(1) : nil
    case (.ping, nil):
      nextDeadline = nil
      sendNext(into: &output)
    case (.ping, .frame): sendNext(into: &output)
    case (.echo, .frame(let frame)): send(frame.payload, into: &output)
    default: break
    }
  }

  private mutating func sendNext(into output: inout NodeOutput) {
    guard left > 0 else { return }
    left -= 1
    send(payload, into: &output)
  }

  private mutating func send(_ payload: [UInt8], into output: inout NodeOutput) {
    seq += 1
    output.send(
      Frame(kind: .data, channel: .message, epoch: Epoch(1), seq: SequenceNumber(seq), payload: payload))
  }
}

extension BenchNode: HostedNode {
  typealias Record = Void
  typealias Change = Never
  mutating func takeChanges() -> [Never] { [] }
  var isWorkoutOver: Bool { false }
}
