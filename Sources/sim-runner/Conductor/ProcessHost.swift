import Link
import LinkTransport

/// A node in a process of its own, asked over a socket.
struct ProcessHost: NodeHost {
  private let remote: RemoteNode
  private var answer: NodeAnswer
  private var parser = TraceLineParser()
  private(set) var isWorkoutOver = false
  private let isRecording: Bool

  /// Takes over a node whose answer to the welcome is in.
  init(_ remote: RemoteNode, firstAnswer: NodeAnswer, isRecording: Bool) {
    self.remote = remote
    self.isRecording = isRecording
    answer = firstAnswer
  }

  var nextDeadline: VirtualTime? { answer.nextDeadline }

  mutating func grant(
    _ inputs: [NodeInput], fire: Bool, at now: VirtualTime, into output: inout NodeOutput
  ) throws(NodeFailure) {
    try remote.grant(at: now, inputs: inputs, firesTimers: fire, into: &answer)
    try check(fires: fire)
    for item in answer.items {
      switch item {
      case .frame(let frame): output.send(frame)
      case .handled: output.items.append(.handled)
      case .line(let range): try take(answer.line(range), into: &output)
      }
    }
  }

  /// Holds the answer against the grant: nothing behind the end of the last input but what timers do.
  ///
  /// That there is an end for each input was seen when the answer came.
  private func check(fires: Bool) throws(NodeFailure) {
    guard fires || answer.endsHandled else {
      throw NodeFailure(remote.role, .gaveUp("did something after the last input that no timer asked for"))
    }
  }

  /// Tells the node that the run is over.
  func end() { remote.end() }

  /// A line is read and written anew, so that no node can put into the trace what is no line of it.
  private mutating func take(_ line: ArraySlice<UInt8>, into output: inout NodeOutput) throws(NodeFailure) {
    let event: TraceEvent
    do throws(JSONError) { event = try parser.parse(line, line: 1) } catch {
      throw NodeFailure(remote.role, .gaveUp("sent a line that is none: \(error.message)"))
    }
    if event.name == .snapshot, event["state"] == .string("ended") { isWorkoutOver = true }
    if isRecording { output.items.append(.event(event)) }
  }
}

extension TraceEvent.Name {
  static let snapshot: Self = "snapshot"
}
