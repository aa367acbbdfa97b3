/// File names made from scenario names.
package enum OutputName {
  /// The name with everything but letters, digits, `-`, `_` and `.` replaced; never empty, never a folder's.
  package static func safe(_ name: String) -> String {
    let kept = name.unicodeScalars.prefix(100).map { scalar -> Character in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isPlain || scalar == "-" || scalar == "_" || scalar == "." ? Character(scalar) : "-"
    }
    let text = String(kept)
    return text.allSatisfy { $0 == "." || $0 == "-" } ? "scenario" : text
  }
}
