/// Walks through the elements of a document, also where end tags are missing or in the wrong order.
struct XMLElements {
  /// The deepest nesting of elements.
  static let depthMax = 64

  /// A step of the walk.
  enum Step {
    /// An element begins; it is among ``open`` from the next step on.
    case begin(String)
    /// An element that was open last is so no longer; `isNamed` says whether the end tag names it, and the text is its.
    case end(String, isNamed: Bool)
  }

  /// What is read; its attributes and its text are those of the last step.
  private(set) var scanner: XMLScanner
  /// The elements around the place that was reached, the outermost first.
  private(set) var open: [String] = []
  /// How many tags were out of order; a reader counts those that only it can tell.
  var misnested = 0
  /// Where the document breaks off; nil for one that is whole.
  private(set) var cutOffset: Int?
  /// Control bytes in the document, which count as blanks; known once the walk has ended.
  private var controlByteCount = 0

  /// The element that began last, until it is among those that are open.
  private var begun: String?
  /// How many elements stay open behind the last end tag.
  private var depthAfterEnd = Int.max

  init(_ bytes: [UInt8]) { scanner = XMLScanner(bytes) }

  /// Takes the next step; nil at the end of the bytes.
  ///
  /// - Throws: `XMLProblem` when a limit is passed.
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
      case .end(let name): takeEnd(of: name)
      case .cut(let offset):
        end(cutOffset: offset)
        return nil
      case .finished:
        end(cutOffset: open.isEmpty ? nil : scanner.offset)
        return nil
      }
    }
  }

  /// Counts what concerns the whole document: once, however many workouts are made of it.
  private mutating func end(cutOffset: Int?) {
    self.cutOffset = cutOffset
    controlByteCount = scanner.bytes.count { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
  }

  private mutating func takeEnd(of name: String) {
    guard let depth = open.last == name ? open.count - 1 : open.lastIndex(of: name) else {
      misnested += 1
      return
    }
    if depth < open.count - 1 { misnested += 1 }
    depthAfterEnd = depth
  }

  /// Takes the innermost elements for closed, as their end tags are missing.
  ///
  /// - Parameter depth: How many elements stay open.
  mutating func leave(downTo depth: Int) {
    if open.count > depth { open.removeSubrange(depth...) }
  }

  /// Notes what is damaged in the document as a document, whatever it holds.
  func noteDamage(_ findings: inout Findings) {
    if scanner.declarationBytes > 0 {
      findings.note("a document type declaration of \(scanner.declarationBytes) bytes was cut away")
    }
    findings.note(controlByteCount, "control byte read as a blank", "control bytes read as blanks")
    findings.note(scanner.malformedCount, "place is not well-formed XML", "places are not well-formed XML")
    findings.note(misnested, "tag is out of order", "tags are out of order")
    if let cutOffset { findings.note("the file is cut at byte \(cutOffset); complete points before it were read") }
  }
}

extension ImportError {
  /// The error of a document that had to be given up.
  ///
  /// - Parameter bytes: The whole document.
  init(_ problem: XMLProblem, in bytes: [UInt8], file: String) {
    self.init(
      file: file, place: XMLScanner.place(of: problem.offset, in: bytes), found: problem.found,
      expected: problem.expected)
  }
}
