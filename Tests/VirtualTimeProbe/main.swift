// A program of the tests that uses what a Swift app on Linux waits, measures and draws with. It knows nothing of virtual
// time, but for `controlled`.

import CVirtualTimeProbe
import Dispatch
import Foundation

setvbuf(stdout, nil, _IOLBF, 0)
switch CommandLine.arguments.dropFirst().first ?? "" {
case "all":
  Report.say("date \(Report.began.timeIntervalSince1970)")
  for part in Parts.all { part.start() }
  Task.detached {
    while !Report.isComplete { try? await Task.sleep(for: .seconds(60)) }
    exit(0)
  }
  RunLoop.main.run()
case "beat": Limits.beat(Settings.hours)
case "date": Limits.printDate()
case "deadlock": Limits.deadlock(CommandLine.arguments.dropFirst(2).first ?? "")
case "race": Limits.raceForCounter()
case "spin": Limits.spin()
case "ping-pong": Limits.pingPong()
case "blocked": Limits.blockInKernel(CommandLine.arguments.dropFirst(2).first ?? "")
case "idle": Limits.waitForNothing()
case "child": Limits.startChild()
case "network": Limits.openSocket()
case "crash": Limits.crash()
case "controlled": Controlled.run()
case "due":
  let words = CommandLine.arguments.dropFirst(2)
  Due.loop(words.first ?? "", until: words.dropFirst().first.flatMap { Double($0) })
case "small-race": print(probe_race(CommandLine.arguments.dropFirst(2).first.flatMap { Int32($0) } ?? -1))
default:
  print("usage: VirtualTimeProbe all HOURS FOLDER | beat HOURS | NAME OF A LIMIT | controlled")
  exit(2)
}
