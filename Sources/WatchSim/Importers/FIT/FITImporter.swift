// FIT activities. The decoder splits the file into messages, the recording collects their content, the assembly repairs
// it.

/// Reads FIT activities.
package enum FITImporter: WorkoutImporter {
  package static let name = "FIT"
  package static let help = "Sessions of one file are read as one workout, unless --workout chooses one."
  package static let fileExtension = "fit"
  package static let bytesMax = 64 * 1_024 * 1_024

  package static func canRead(_ head: [UInt8], fileName: String) -> Bool {
    if head.count >= FITHeader.bytesMin { return head[8..<12].elementsEqual(".FIT".utf8) }
    // Too short for a header: the name decides.
    return !head.isEmpty && fileName.lowercased().hasSuffix(".fit")
  }

  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    RecordedWorkout(assembling: try scan(bytes, fileName: fileName).raw)
  }

  package static func outlines(_ bytes: [UInt8], fileName: String) throws(ImportError) -> [WorkoutOutline] {
    let (recording, raw) = try scan(bytes, fileName: fileName)
    let parts = recording.parts
    guard parts.count > 1 else { return [WorkoutOutline(RecordedWorkout(assembling: raw), number: 1)] }
    return raw.divided(into: parts).enumerated().map { offset, part in
      WorkoutOutline(RecordedWorkout(assembling: part), number: offset + 1)
    }
  }

  package static func read(_ bytes: [UInt8], fileName: String, number: Int) throws(ImportError) -> RecordedWorkout {
    let (recording, raw) = try scan(bytes, fileName: fileName)
    let parts = recording.parts
    if parts.count <= 1, number == 1 { return RecordedWorkout(assembling: raw) }
    guard parts.indices.contains(number - 1) else {
      throw noSuchWorkout(number, of: max(parts.count, 1), in: fileName)
    }
    return RecordedWorkout(assembling: raw.divided(into: parts)[number - 1])
  }

  private static func scan(
    _ bytes: [UInt8], fileName: String
  ) throws(ImportError) -> (recording: FITRecording, raw: RawRecording) {
    guard FITHeader(bytes, at: 0) != nil else {
      throw ImportError(
        file: fileName, position: .byte(0),
        found: bytes.count < FITHeader.bytesMin ? "\(bytes.count) bytes" : "no FIT header",
        expected: "a header of 12 or 14 bytes with the mark '.FIT'")
    }
    var decoder = FITDecoder(bytes)
    var recording = FITRecording()
    do throws(FITDecoder.TooManyMessages) {
      try decoder.decode { recording.add($0) }
    } catch {
      throw ImportError(
        file: fileName, position: .byte(error.offset), found: "more messages",
        expected: "at most \(FITDecoder.messagesMax) messages")
    }
    if let type = recording.fileType, type != 4 {
      throw ImportError(
        file: fileName, found: "a FIT file of kind '\(FITNames.fileType(type))'",
        expected: "one of kind '\(FITNames.fileType(4))'")
    }
    guard !recording.isEmpty else {
      throw ImportError(
        file: fileName, position: .byte(bytes.count), found: "neither a record nor a session", expected: "an activity")
    }
    return (recording, recording.raw(decoderFindings: decoder.findings, partCount: decoder.partCount))
  }
}
