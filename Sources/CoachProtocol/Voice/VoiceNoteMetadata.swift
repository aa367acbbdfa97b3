public import Link

/// The metadata of a voice note's file: its owner, and what the recogniser will find.
///
/// The file plays as silence, so the transcript travels in the metadata, for the simulated recogniser only.
public struct VoiceNoteMetadata: FieldRecord {
  /// The outcome of a transcription.
  public enum Transcription: String, EventWord {
    /// The recogniser finds the transcript.
    case done
    /// The transcription fails; the audio stays.
    case failed
  }

  /// The longest note, in seconds: recording stops there.
  public static let secondsMax = 30.0
  /// The longest ``says``, in bytes of UTF-8.
  public static let saysBytesMax = 4_096
  /// Bytes for three seconds of audio: a note of 30 s has 250,000.
  private static let audioBytesPerThreeSeconds = 25_000.0

  public var noteId = Identifier.none
  /// Nil if no run was on.
  public var runId: Identifier?
  /// By the watch's clock.
  public var recordedAt = WatchTime.none
  /// Seconds, above 0 and at most ``secondsMax``.
  public var seconds = 0.0
  /// What the recogniser will find; nil for nothing.
  public var says: String?
  public var transcription = Transcription.done

  public init() {}

  public init(
    noteId: Identifier, runId: Identifier? = nil, recordedAt: WatchTime, seconds: Double, says: String? = nil,
    transcription: Transcription = .done
  ) {
    self.noteId = noteId
    self.runId = runId
    self.recordedAt = recordedAt
    self.seconds = seconds
    self.says = says
    self.transcription = transcription
  }

  /// A recording's audio: an M4A file of its length, whose bytes follow from its note.
  ///
  /// - Parameter seconds: Its length, above 0 and at most ``secondsMax``.
  public static func audio(of note: Identifier, seconds: Double) -> FileContent {
    let milliseconds = UInt64((seconds * 1_000).rounded())
    let bytes = UInt64((seconds * audioBytesPerThreeSeconds / 3).rounded(.up))
    return .recording(
      key: RandomStream.key(note.high, note.low), milliseconds: milliseconds,
      byteCount: max(bytes, M4AContainer.size(milliseconds: milliseconds)))
  }

  public mutating func visit(_ fields: inout some EventFieldVisitor) {
    fields.field("noteId", &noteId, "the note")
    fields.field("runId", &runId, "absent: no run was on")
    fields.time("recordedAt", &recordedAt, "when it was recorded")
    fields.number("seconds", &seconds, in: .leastNonzeroMagnitude...Self.secondsMax, places: 3, "its length")
    fields.field("says", &says, "what the recogniser will find")
    if let says, says.utf8.count > Self.saysBytesMax {
      fields.refuse("says", found: "\(says.utf8.count) bytes", expected: "at most \(Self.saysBytesMax)")
    }
    fields.field("transcription", &transcription, "how the transcription ends")
  }
}

/// The metadata of a transferred file.
public enum FileMetadata: Sendable, Equatable {
  case voiceNote(VoiceNoteMetadata)
  /// Test traffic, with its number.
  case probe(Int64)

  /// The kinds of files: `kind` in the metadata and in the trace.
  public enum Kind: String, Sendable, CaseIterable {
    case voiceNote, probe
  }

  /// The version of every kind: `v` in the metadata.
  public static let version: Int64 = 1

  public var kind: Kind {
    switch self {
    case .voiceNote: .voiceNote
    case .probe: .probe
    }
  }

  /// The metadata as a binary property list: `kind`, `v`, then the fields in their fixed order.
  public var encoded: [UInt8] {
    var writer = PayloadWriter([.init("kind", .string(kind.rawValue)), .init("v", .integer(Self.version))])
    switch self {
    case .voiceNote(var note): note.visit(&writer)
    case .probe(var number): writer.field("n", &number, "")
    }
    return writer.bytes
  }

  /// The fields of a transfer's trace event, from `kind` on.
  public var eventDetails: TransferDetails {
    var details = TransferDetails()
    details.kind = kind.rawValue
    switch self {
    case .voiceNote(let note): (details.note, details.runId) = (note.noteId, note.runId)
    case .probe(let number): details.n = number
    }
    return details
  }

  /// Decodes the untrusted metadata of a received file.
  ///
  /// - Throws: ``FileMetadataError``.
  public init(decoding bytes: [UInt8]) throws(FileMetadataError) {
    var reader: PayloadReader
    do throws(PropertyListError) { reader = try PayloadReader(bytes) } catch {
      throw FileMetadataError("a file's metadata: \(error)")
    }
    var (text, version, number) = ("", Int64(0), Int64(0))
    reader.field("kind", &text, "")
    let kind = Kind(rawValue: text)
    if kind == nil { reader.refuse("kind", found: "\"\(text.prefix(64))\"", expected: "voiceNote or probe") }
    reader.field("v", &version, in: Self.version...Self.version, "")
    if kind == .probe { reader.field("n", &number, in: 0 ... .max, "") }
    do throws(PayloadFault) {
      if kind == .voiceNote {
        self = .voiceNote(try reader.read(VoiceNoteMetadata.self))
      } else {
        if let fault = reader.fault { throw fault }
        self = .probe(number)
      }
    } catch { throw FileMetadataError(error) }
  }
}

/// Why a file's metadata is invalid: found and expected.
public struct FileMetadataError: Error, Sendable, Equatable, CustomStringConvertible {
  /// One sentence for the trace.
  public var description: String

  public init(_ description: String) { self.description = description }

  init(_ fault: PayloadFault) {
    switch fault {
    case .missing(let key): description = "a file's metadata: no \(key)"
    case .wrong(let key, let found, let expected): description = "\(key) is \(found), expected \(expected)"
    }
  }
}
