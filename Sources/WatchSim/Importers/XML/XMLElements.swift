/// Iterates over a document's elements, tolerating end tags that are missing or misplaced.
struct XMLElements {
  static let depthMax = 64

  enum Step {
    /// An element begins; it is in ``open`` from the next step on.
    case begin(String)
    /// The innermost open element ends; `isNamed` says whether the end tag names it, so that the text belongs to it.
    case end(String, isNamed: Bool)
  }

  /// The scanner; its attributes and text are those of the last step.
  private(set) var scanner: XMLScanner
  /// The open elements, outermost first.
  private(set) var open: [String] = []
  /// Number of tags out of order; readers add those that only they can detect.
  var misnested = 0
  private var badTimes = 0
  private var badValues = 0
  /// Where the document breaks off; nil if it is complete.
  private(set) var cutOffset: Int?
  /// Control bytes in the document, treated as blanks; known at the end.
  private var controlByteCount = 0

  /// The element that began last, until it is in `open`.
  private var begun: String?
  /// How many elements stay open after the last end tag.
  private var depthAfterEnd = Int.max

  init(_ bytes: [UInt8]) { scanner = XMLScanner(bytes) }

  /// The next step; nil at the end of the bytes.
  ///
  /// - Throws: `XMLProblem` if a limit is exceeded.
  mutating func next() throws(XMLProblem) -> Step? {
    if let name = begun {
      open.append(name)
      begun = nil
    }
    while true {
      if open.count > depthAfterEnd { return .end(open.removeLast(), isNamed: open.count == depthAfterEnd) }
      depthAfterEnd = .max
      scanner.clearText()
      switch try scanner.next() {
      case .start(let name):
        guard open.count < Self.depthMax else {
          throw XMLProblem(
            offset: scanner.offset, found: "an element nested deeper",
            expected: "at most \(Self.depthMax) levels of elements")
        }
        begun = name
        return .begin(name)
      case .end(let name): closeElement(of: name)
      case .cut(let offset):
        end(cutOffset: offset)
        return nil
      case .finished:
        end(cutOffset: open.isEmpty ? nil : scanner.offset)
        return nil
      }
    }
  }

  /// Counts what concerns the whole document: once, however many workouts it contains.
  private mutating func end(cutOffset: Int?) {
    self.cutOffset = cutOffset
    controlByteCount = scanner.bytes.count { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
  }

  private mutating func closeElement(of name: String) {
    guard let depth = open.last == name ? open.count - 1 : open.lastIndex(of: name) else {
      misnested += 1
      return
    }
    if depth < open.count - 1 { misnested += 1 }
    depthAfterEnd = depth
  }

  /// Closes the innermost elements, whose end tags are missing.
  ///
  /// - Parameter depth: How many elements stay open.
  mutating func leave(downTo depth: Int) {
    if open.count > depth { open.removeSubrange(depth...) }
  }

  /// The element's text as a time; nil, and counted, for any other.
  mutating func time() -> Double? {
    let time = TimeText.parse(scanner.text)
    if time == nil { badTimes += 1 }
    return time
  }

  /// The element's text as a number within a range; nil, and counted, for any other.
  mutating func number(in range: ClosedRange<Double>) -> Double? {
    guard let value = NumberText.parse(scanner.text), range.contains(value) else {
      badValues += 1
      return nil
    }
    return value
  }

  /// The same as beats per minute; nil also for 0.
  mutating func heartRate() -> Int? { number(in: 0...300).flatMap { $0 >= 0.5 ? Int($0.rounded()) : nil } }

  /// Reports the texts that could not be read.
  func reportBadTexts(_ findings: inout ImportFindings) {
    findings.add(badTimes, "time cannot be read", "times cannot be read")
    findings.add(badValues, "value cannot be read", "values cannot be read")
  }

  /// Reports damage of the document as such.
  func reportDamage(_ findings: inout ImportFindings) {
    if scanner.declarationBytes > 0 {
      findings.add("a document type declaration of \(scanner.declarationBytes) bytes was cut away")
    }
    findings.add(controlByteCount, "control byte read as a blank", "control bytes read as blanks")
    findings.add(scanner.malformedCount, "place is not well-formed XML", "places are not well-formed XML")
    findings.add(misnested, "tag is out of order", "tags are out of order")
    if let cutOffset { findings.add("the file is cut at byte \(cutOffset); complete points before it were read") }
  }
}

extension ImportError {
  /// The error of a document that was given up.
  ///
  /// - Parameter bytes: The whole document.
  init(_ problem: XMLProblem, in bytes: [UInt8], file: String) {
    self.init(
      file: file, position: XMLScanner.position(of: problem.offset, in: bytes), found: problem.found,
      expected: problem.expected)
  }
}
