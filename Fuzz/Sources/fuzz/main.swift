import Foundation

// usage: fuzz list | fuzz seeds FOLDER ROOT | fuzz TARGET [libFuzzer's options] [CORPUS...]

/// libFuzzer's loop, from the runtime without a `main` of its own.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target of this process.
nonisolated(unsafe) private var selected: any FuzzTarget.Type = JSONTarget.self

private func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("fuzz: \(text)\n".utf8))
  exit(2)
}

/// Writes each target's seeds to FOLDER/NAME, and its words to FOLDER/NAME.dict.
private func writeSeeds(_ folder: String, from tree: SourceTree) throws {
  let root = URL(fileURLWithPath: folder)
  for target in FuzzCatalog.all {
    let corpus = root.appendingPathComponent(target.name)
    try FileManager.default.createDirectory(at: corpus, withIntermediateDirectories: true)
    for (index, seed) in target.seeds(tree).enumerated() where seed.count <= target.lengthMax {
      try Data(seed).write(to: corpus.appendingPathComponent("seed-\(index)"))
    }
    // All of it as \xAB: quotes and line feeds have a meaning there.
    let words = target.words.map { word in
      "\"" + word.utf8.map { String(format: "\\x%02X", $0) }.joined() + "\"\n"
    }
    try Data(words.joined().utf8).write(to: root.appendingPathComponent("\(target.name).dict"))
  }
}

private let words = CommandLine.arguments
switch words.dropFirst().first {
case "list":
  for target in FuzzCatalog.all { print(target.name, target.lengthMax, target.about, separator: "\t") }
case "seeds":
  guard words.count == 4 else { fail("found \(words.count - 2) arguments, expected FOLDER ROOT") }
  try writeSeeds(words[2], from: SourceTree(words[3]))
case let name?:
  guard let target = FuzzCatalog.all.first(where: { $0.name == name }) else {
    fail("found \"\(name)\", expected one of \(FuzzCatalog.all.map { $0.name }.joined(separator: ", "))")
  }
  selected = target
  // libFuzzer does not expect the name of the target, so its options that start the program again do not work.
  var arguments: [UnsafeMutablePointer<CChar>?] = ([words[0]] + words.dropFirst(2)).map { strdup($0) } + [nil]
  var count = CInt(arguments.count - 1)
  let status = arguments.withUnsafeMutableBufferPointer { list -> CInt in
    guard var start = list.baseAddress else { return 2 }
    return runFuzzer(&count, &start) { bytes, count in
      selected.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
      return 0
    }
  }
  exit(status)
case nil: fail("found no argument, expected the name of a target, list or seeds")
}
