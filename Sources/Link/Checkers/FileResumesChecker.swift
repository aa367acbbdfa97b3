package import Link

/// `file-resumes`: a file continues where it stopped.
package struct FileResumesChecker: Checker {
  package static let invariant = "file-resumes"
  package static let about =
    "A sender does not send bytes of a file again that its receiver has reported to have, restarts of either side included."

  private struct File {
    var transfer: Identifier
    /// The bytes that the receiver has reported to the sender's app.
    var received: Int64 = 0
    var line = 0
  }

  private let nodes: BuiltInNodes
  /// The current file of each side; a side sends one at a time.
  private var files: [File?] = [nil, nil]

  package init(header: TraceHeader) { nodes = BuiltInNodes(header) }

  package mutating func frameSent(_ frame: FrameSent, at event: Occurrence, into report: inout Report) {
    guard let side = event.place.deviceIndex, nodes.contains(event.place) else { return }
    guard frame.kind == .chunk, frame.channel == .file, let transfer = frame.transfer, let offset = frame.offset,
      let file = files[side], file.transfer == transfer, offset < file.received
    else { return }
    report.add(
      "the \(event.place.text) sent bytes from \(offset) on, though its peer has \(file.received)", at: event.time,
      lines: [file.line, event.line])
  }

  package mutating func transferProgress(
    _ progress: TransferProgressed, at event: Occurrence, into report: inout Report
  ) {
    guard let side = event.place.deviceIndex, nodes.contains(event.place) else { return }
    files[side] = File(transfer: progress.transfer, received: progress.received, line: event.line)
  }
}
