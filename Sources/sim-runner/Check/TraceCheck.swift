// Judges a trace from its text alone. The file is read in pieces and each line is dropped once it was judged, so what this needs does not
// grow with the run: what a checker keeps is its own business, and what is settled it drops.

import Foundation
import Link

/// What the judging of a trace's file came to.
struct TraceCheck {
  /// The trace's first line.
  var header: TraceHeader
  /// Whether all held; unknown where the trace is truncated and nothing in it is wrong.
  var verdict: Judgement.Verdict
  var violations: [Violation]
  var expectations: [JudgedExpectation]
  /// Lines after the header.
  var events: Int
  /// How often each kind of event happened, in the order of their first appearance.
  var counters: [(name: TraceEvent.Name, count: Int)]
  /// When the last event happened.
  var end: VirtualTime
  /// What the trace's own `end` says of itself; nil where it says nothing.
  var ownVerdict: String?
  /// Whether the trace has no `end`.
  var isTruncated: Bool
  /// Why the run broke off, as the trace tells it; nil for one that came to its end.
  var brokenOff: String?
  /// SHA-256 of the file's bytes, in hexadecimal.
  var digest: String

  /// How many invariants are judged.
  static var invariantCount: Int { InvariantsCommand.all.count }

  /// Judges a file.
  ///
  /// - Parameters:
  ///   - path: The file, or `-` for standard input.
  ///   - expectations: What a scenario expects besides the invariants.
  /// - Throws: ``Failure/input(_:)`` for a file that cannot be read, and at the first line that is no line of a trace.
  static func run(_ path: String, expectations: [ReadExpectation]) throws(Failure) -> TraceCheck {
    let name = path == "-" ? "standard input" : path
    let file = try TraceFile(path, name: name)
    var reader = TraceReader()
    var following: TraceFollower?
    var digest = SHA256Stream()
    var isAtEnd = false
    while !isAtEnd {
      let piece = try file.next()
      isAtEnd = piece.isEmpty
      if isAtEnd {
        reader.close()
      } else {
        digest.append(piece)
        reader.append(piece)
      }
      do throws(JSONError) {
        if following == nil, let header = try reader.readHeader() {
          following = TraceFollower(RunJudge(header: header, expectations: expectations))
        }
        guard following != nil else { continue }
        while let event = try reader.next() { following?.take(event, line: reader.line) }
      } catch {
        throw .input(PlainText.safe("\(name):\(error.description)"))
      }
    }
    guard var following, let header = reader.header else { throw .input("\(name):1:1: error: found no header") }
    let judgement = following.judge.finish()
    return TraceCheck(
      header: header, verdict: following.brokenOff == nil ? judgement.verdict : .fail, violations: judgement.violations,
      expectations: judgement.expectations, events: reader.line - 1, counters: following.counters, end: following.end,
      ownVerdict: following.ownVerdict, isTruncated: !reader.hasEnded, brokenOff: following.brokenOff,
      digest: Digest.text(digest.finish()))
  }
}

/// Hands the lines of a trace to the judge, and counts them.
private struct TraceFollower {
  var judge: RunJudge
  private(set) var counters: [(name: TraceEvent.Name, count: Int)] = []
  private(set) var end: VirtualTime = .start
  private(set) var ownVerdict: String?
  private(set) var brokenOff: String?

  /// Kinds of events that are counted one by one, at most: a hostile trace may name a new one on every line.
  private static let countersMax = 1_000

  init(_ judge: RunJudge) { self.judge = judge }

  mutating func take(_ event: TraceEvent, line: Int) {
    end = event.time
    count(event.name)
    guard event.place == .runner else {
      // Only the runner ends a trace.
      if event.name != .end { judge.observe(event, line: line) }
      return
    }
    switch event.name {
    case "expectation", "violation": return  // Somebody's judgement, not what is judged.
    case .nodeFailed:
      brokenOff = "node failed: \(event["target"]?.text ?? "unknown"): \(event["cause"]?.text ?? "unknown")"
    case "stopped": brokenOff = "it was stopped"
    case .end:
      ownVerdict = event["verdict"]?.text
      // What a run that broke off left open is open, and not wrong.
      if brokenOff != nil { return }
    default: break
    }
    judge.observe(event, line: line)
  }

  private mutating func count(_ name: TraceEvent.Name) {
    for index in counters.indices where counters[index].name == name {
      counters[index].count += 1
      return
    }
    if counters.count < Self.countersMax { counters.append((name, 1)) }
  }
}

/// A trace's bytes, piece by piece.
struct TraceFile {
  private let handle: FileHandle
  private let name: String
  private static let pieceBytes = 1 << 16

  init(_ path: String, name: String) throws(Failure) {
    self.name = name
    if path == "-" {
      handle = .standardInput
      return
    }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .input("\(path): error: no such file")
    }
    guard !isFolder.boolValue else { throw .input("\(path): error: found a folder, expected a trace") }
    guard let handle = FileHandle(forReadingAtPath: path) else { throw .input("\(path): error: cannot be read") }
    self.handle = handle
  }

  /// The next piece; empty at the end.
  func next() throws(Failure) -> [UInt8] {
    do {
      return [UInt8](try handle.read(upToCount: Self.pieceBytes) ?? Data())
    } catch {
      throw .input("\(name): error: cannot be read: \(error.localizedDescription)")
    }
  }
}
