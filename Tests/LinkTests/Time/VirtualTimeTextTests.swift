import Link
import Testing

struct VirtualTimeTextTests {
  @Test(
    arguments: [
      (0, "0:00"), (999_999, "0:00"), (1_000_000, "0:00.001"), (604_375_000_000, "10:04.375"),
      (604_375_999_999, "10:04.375"), (65_000_000_000, "1:05"), (4_204_375_000_000, "1:10:04.375"),
      (-1_500_000_000, "-0:01.500"), (Int64.max, "2562047:47:16.854"), (Int64.min, "-2562047:47:16.854"),
    ] as [(Int64, String)])
  func `an instant is minutes and seconds, with milliseconds unless it is whole`(nanoseconds: Int64, text: String) {
    #expect(VirtualTime(nanoseconds: nanoseconds).text == text)
  }
}
