// FIT activities. The decoder splits the file into messages, the recording gathers what they say, the assembly repairs.

/// Reads FIT activities.
package enum FITImporter: WorkoutImporter {
  package static let name = "FIT"
  package static let fileExtension = "fit"
  package static let bytesMax = 64 * 1_024 * 1_024

  package static func canRead(_ head: [UInt8], fileName: String) -> Bool {
    if head.count >= FITHeader.bytesMin { return head[8..<12].elementsEqual(".FIT".utf8) }
    // Too short for a header; the name says what it was meant to be.
    return !head.isEmpty && fileName.lowercased().hasSuffix(".fit")
  }

  package static func read(_ bytes: [UInt8], fileName: String) throws(ImportError) -> RecordedWorkout {
    guard FITHeader(bytes, at: 0) != nil else {
      throw ImportError(
        file: fileName, place: .byte(0),
        found: bytes.count < FITHeader.bytesMin ? "\(bytes.count) bytes" : "no FIT header",
        expected: "a header of 12 or 14 bytes with the mark '.FIT'")
    }
    var decoder = FITDecoder(bytes)
    var recording = FITRecording()
    do throws(FITDecoder.TooManyMessages) {
      try decoder.decode { recording.take($0) }
    } catch {
      throw ImportError(
        file: fileName, place: .byte(error.offset), found: "more messages",
        expected: "at most \(FITDecoder.messagesMax) messages")
    }
    if let type = recording.fileType, type != 4 {
      throw ImportError(
        file: fileName, found: "a FIT file of kind '\(FITNames.fileType(type))'",
        expected: "one of kind '\(FITNames.fileType(4))'")
    }
    guard !recording.isEmpty else {
      throw ImportError(
        file: fileName, place: .byte(bytes.count), found: "neither a record nor a session", expected: "an activity")
    }
    return RecordedWorkout(assembling: recording.raw(decoderFindings: decoder.findings, partCount: decoder.partCount))
  }
}
