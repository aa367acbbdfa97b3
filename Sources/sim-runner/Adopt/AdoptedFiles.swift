import Console
import Foundation
import Link

/// `adopt.json`: which of the app's files a package copies, and where to.
struct AdoptedFiles {
  struct Copy {
    /// In the app's folder.
    var from = ""
    /// In the package.
    var to = ""
    var device = DeviceRole.phone
    /// What of the file does not compile here: ``AppSource/leaveOut(_:)``.
    var without: [String] = []

    fileprivate static let schema = ObjectSchema<Self>(
      "adopt.files[]", "A file of the app.", Self(),
      [
        Field("from", \.from, .string, "in the app's folder", .required),
        Field("to", \.to, copied, "in the package", .required),
        Field("device", \.device, .word, "whose program it is compiled into", .required),
        Field(
          "without", \.without, .array(of: .string, count: 1...10_000), "what of it does not compile here",
          .otherwise("nothing")
        ).omittedAtDefault,
      ])

    private static let copied = ValueSchema<String>.string.satisfying("a Swift file in Sources") { path in
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      return parts.first == "Sources" && parts.count > 2 && !parts.contains("..") && path.hasSuffix(".swift")
    }
  }

  static let name = "adopt.json"

  /// The app's folder, relative to the package unless they share no folder.
  var app: String
  var files: [Copy]

  init(app: String, files: [Copy]) { (self.app, self.files) = (app, files) }

  private static let schema = ObjectSchema<Self>(
    "adopt", "Which of the app's files the package copies.", Self(app: "", files: []),
    [
      Field("app", \.app, .string, "the app's folder, relative to the package", .required),
      Field("files", \.files, .array(of: .object(Copy.schema), count: 0...100_000), "the copies", .required),
    ])

  /// Reads the file of a package.
  ///
  /// - Throws: With everything that is wrong, a line each.
  init(package: String) throws(Failure) {
    let path = "\(package)/\(Self.name)"
    let bytes = try FilePath.read(path, bytesMax: 8 << 20)
    let collector = DiagnosticsCollector(file: path)
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(bytes, dialect: .json) } catch {
      throw .input("\(path):\(error.description)")
    }
    guard let reader = JSONObjectReader(node, into: collector), let files = Self.schema.readWhole(reader),
      !collector.diagnostics.hasErrors
    else { throw .problems(collector.diagnostics.lines) }
    self = files
  }

  /// The file's text.
  var text: String {
    JSONWriter.pretty(JSONNode(.object(Self.schema.members(of: self))), dialect: .json)
  }

  /// Copies the files that have changed.
  ///
  /// - Returns: How many did.
  func sync(package: String) throws(Failure) -> Int {
    let root = FilePath.resolve(app, in: package)
    var written = 0
    for copy in files {
      let bytes = try FilePath.read("\(root)/\(copy.from)", bytesMax: 1 << 20)
      let text = AppSource(path: copy.from, bytes: bytes, role: copy.device, without: copy.without).text
      if try Self.write(text, to: "\(package)/\(copy.to)") { written += 1 }
    }
    return written
  }

  /// Writes a file unless it has that text.
  @discardableResult
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) -> Bool {
    let data = Data(bytes)
    if let old = FileManager.default.contents(atPath: path), old == data { return false }
    try OutputFolder.make(FilePath.folder(of: path))
    do { try data.write(to: URL(fileURLWithPath: path)) } catch {
      throw .environment("\(path): error: cannot be written: \(error.systemText)")
    }
    return true
  }
}
