import Simulator
import TraceTools
import Link

/// A report's excerpts of a trace: some lines, and the story around some of them.
struct TraceExcerpts {
  /// Story lines quoted before a line, and after it.
  static let before = 3
  static let after = 2

  /// The text of the wanted lines by number, from 1; lookup only.
  private(set) var quotes: [Int: String] = [:]
  /// The story around the wanted lines by number; lookup only.
  private(set) var stories: [Int: [StoryLine]] = [:]

  init() {}

  /// Collects excerpts in one pass over a trace.
  ///
  /// - Parameters:
  ///   - groups: The line numbers of each finding; the story is the one around the last of them.
  init(of text: TraceText, header: TraceHeader, for groups: [[Int]]) {
    // Lookup only.
    let wanted = Set(groups.joined())
    guard let last = wanted.max() else { return }
    var story = Story(around: Set(groups.compactMap { $0.max() }).sorted(), header: header)
    var number = 0
    var rest: [UInt8] = []
    text.forEachPiece { piece in
      var start = piece.startIndex
      while let end = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
        rest += piece[start..<end]
        number += 1
        if wanted.contains(number) { quotes[number] = String(decoding: rest, as: UTF8.self) }
        if number > 1 { story.observe(rest, line: number) }
        rest.removeAll(keepingCapacity: true)
        start = end + 1
        if number >= last, story.isComplete { return false }
      }
      rest += piece[start...]
      return true
    }
    stories = story.finish()
  }

  /// The quoted ones of these lines, in the order of the trace.
  func lines(_ numbers: [Int]) -> [(number: Int, text: String)] {
    Set(numbers).sorted().compactMap { number in quotes[number].map { (number, $0) } }
  }

  /// The story around the last of these lines.
  func story(around numbers: [Int]) -> [StoryLine] { numbers.max().flatMap { stories[$0] } ?? [] }

  /// Tells the story again and keeps what is around some lines.
  private struct Story {
    private var teller: Storyteller
    private var parser = TraceLineParser()
    /// The lines whose surroundings are still to come, in order.
    private var pending: ArraySlice<Int>
    /// Those whose following lines are not complete.
    private var open: [Int] = []
    private var latest: [StoryLine] = []
    private var found: [Int: [StoryLine]] = [:]
    private var counts: [Int: Int] = [:]
    /// An unreadable line ends the story.
    private var isBroken = false

    init(around lines: [Int], header: TraceHeader) {
      teller = Storyteller(header: header)
      pending = lines[...]
    }

    var isComplete: Bool { isBroken || pending.isEmpty && open.isEmpty }

    mutating func observe(_ bytes: [UInt8], line: Int) {
      guard !isComplete, let event = try? parser.parse(bytes[...], line: line) else {
        isBroken = true
        return
      }
      for sentence in event.isBelieved ? teller.observe(event, line: line) : [] {
        closeBefore(sentence.traceLine)
        for target in open {
          found[target, default: []].append(sentence)
          counts[target, default: 0] += 1
        }
        open.removeAll { counts[$0, default: 0] >= TraceExcerpts.after }
        latest.append(sentence)
        if latest.count > TraceExcerpts.before { latest.removeFirst() }
      }
    }

    /// Completes the preceding lines for the lines up to this one.
    private mutating func closeBefore(_ line: Int) {
      while let target = pending.first, target < line {
        found[target] = latest
        open.append(target)
        pending.removeFirst()
      }
    }

    mutating func finish() -> [Int: [StoryLine]] {
      closeBefore(.max)
      return found
    }
  }
}
