import Link

/// Why one of the server's files cannot be read.
struct FileDamage: Error {
  var why: String

  /// The object that a file holds.
  static func object(_ bytes: [UInt8], of file: EdgeFile) throws(FileDamage) -> JSONObjectReader {
    let node: JSONNode
    do throws(JSONError) { node = try JSONParser.parse(bytes, dialect: .json) } catch {
      throw FileDamage(why: "line \(error.position.line): found \(error.found), expected \(error.expected)")
    }
    guard let reader = JSONObjectReader(node, into: DiagnosticsCollector(file: file.rawValue)) else {
      throw FileDamage(why: "found no object")
    }
    return reader
  }

  /// Throws the first error that reading reported.
  static func check(_ reader: JSONObjectReader) throws(FileDamage) {
    if let first = reader.collector.diagnostics.list.first { throw FileDamage(why: first.message) }
  }
}
