package import Link

/// `message-at-most-once`: an app receives no message twice.
package struct MessageOnceChecker: Checker {
  package static let invariant = "message-at-most-once"
  package static let about = "No message is received twice, whatever the medium does with its frames."

  /// How many messages are remembered; a duplicate that is further behind goes unnoticed.
  private static let window: Int64 = 4096

  /// The messages received from one epoch of a sender: the highest number, and a bit for each number in the window.
  private struct Stream {
    let receiver: TraceEvent.Place
    let from: NodeRole
    let epoch: Int64
    var highest: Int64 = 0
    /// One bit per number of the window: 64 words.
    var bits = InlineArray<64, UInt64>(repeating: 0)
  }

  /// At most eight, the most recently used last: old epochs end soon.
  private var streams: [Stream] = []

  package init(header: TraceHeader) {}

  package mutating func messageReceived(_ message: MessageReceived, at event: Occurrence, into report: inout Report) {
    guard message.seq > 0 else { return }
    let (epoch, seq) = (message.epoch, message.seq)
    let last = streams.count - 1
    // The common case: the sender of the previous message.
    let isOfLast =
      last >= 0 && streams[last].from == message.from && streams[last].epoch == epoch
      && streams[last].receiver == event.place
    let place = isOfLast ? last : stream(event.place, message.from, epoch)
    if receive(seq, in: place) { return }
    report.add(
      "message \(seq) of the \(streams[place].from.text)'s epoch \(epoch) was received again", at: event.time,
      lines: [event.line])
  }

  private mutating func stream(_ receiver: TraceEvent.Place, _ from: NodeRole, _ epoch: Int64) -> Int {
    for place in streams.indices.reversed()
    where streams[place].epoch == epoch && streams[place].receiver == receiver && streams[place].from == from {
      // The next message nearly always has the same sender.
      streams.append(streams.remove(at: place))
      return streams.count - 1
    }
    if streams.count == 8 { streams.removeFirst() }
    streams.append(Stream(receiver: receiver, from: from, epoch: epoch))
    return streams.count - 1
  }

  /// Marks a number as received; false if it was already.
  private mutating func receive(_ seq: Int64, in place: Int) -> Bool {
    let highest = streams[place].highest
    if seq > highest {
      if seq - highest >= Self.window {
        streams[place].bits = InlineArray(repeating: 0)
      } else if seq > highest + 1 {
        var cleared = highest + 1
        while cleared < seq {
          let (word, bit) = Self.address(cleared)
          streams[place].bits[word] &= ~bit
          cleared += 1
        }
      }
      let (word, bit) = Self.address(seq)
      streams[place].bits[word] |= bit
      streams[place].highest = seq
      return true
    }
    guard highest - seq < Self.window else { return true }
    let (word, bit) = Self.address(seq)
    guard streams[place].bits[word] & bit == 0 else { return false }
    streams[place].bits[word] |= bit
    return true
  }

  private static func address(_ seq: Int64) -> (word: Int, bit: UInt64) {
    let slot = Int(seq & (window - 1))
    return (slot >> 6, 1 << UInt64(slot & 63))
  }
}
