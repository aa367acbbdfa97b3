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

  mutating func receive(_ input: NodeInput?, in turn: inout Turn) {
    switch (part, input) {
    case (.source(_, let batch), nil):
      for _ in 0..<batch { send(payload, in: &turn) }
      left -= 1
      nextDeadline = left > 0 ? turn.now + .milliseconds(1) : nil
    case (.ping, nil):
      nextDeadline = nil
      sendNext(in: &turn)
    case (.ping, .frame): sendNext(in: &turn)
    case (.echo, .frame(let frame)): send(frame.payload, in: &turn)
    default: break
    }
  }

  private mutating func sendNext(in turn: inout Turn) {
    guard left > 0 else { return }
    left -= 1
    send(payload, in: &turn)
  }

  private mutating func send(_ payload: [UInt8], in turn: inout Turn) {
    seq += 1
    turn.send(
      Frame(kind: .data, channel: .message, epoch: Epoch(1), seq: SequenceNumber(seq), payload: payload))
  }
}

extension BenchNode: HostedNode {
  typealias Record = Void
  typealias Change = Never
  mutating func takeChanges() -> [Never] { [] }
  var isWorkoutOver: Bool { false }
}
