import Link
import Testing

@Suite struct SaturatingArithmeticTests {
  @Test func `sums, differences and products saturate`() {
    let (low, high): (Int64, Int64) = (.min, .max)
    let sums: [Int64] = [high +| 1, low +| -1, high +| -1, 1 +| 2]
    #expect(sums == [high, low, high - 1, 3])
    let differences: [Int64] = [low -| 1, high -| -1, 0 -| low, 10 -| 2 -| 3]
    #expect(differences == [low, high, high, 5])
    let products: [Int64] = [high *| 2, high *| -2, low *| -1, low *| 0, 1 + 2 *| 3]
    #expect(products == [high, low, high, 0, 7])
    let most = UInt32.max
    let unsigned: [UInt32] = [most +| 1, 0 -| 1, most *| 2]
    #expect(unsigned == [most, 0, most])
  }

  @Test func `a floating-point number becomes the nearest integer in range`() {
    #expect(Int64(saturating: 1e300) == .max && Int64(saturating: -.infinity) == .min && Int64(saturating: .nan) == 0)
    #expect(Int64(saturating: 2.5) == 3 && Int64(saturating: -0.4) == 0 && UInt8(saturating: 255.4) == 255)
    #expect(UInt8(saturating: 256) == 255 && UInt8(saturating: -1) == 0 && Int64(saturating: 0x1p63) == .max)
  }

  @Test func `time saturates`() {
    let late = VirtualTime(nanoseconds: .max - 1)
    #expect(late + .seconds(1) == .distantFuture)
    #expect(VirtualTime(nanoseconds: .min) - late == .init(nanoseconds: .min))
    #expect(VirtualTime.Span.seconds(.max) + .seconds(1) == .init(nanoseconds: .max))
    #expect(VirtualTime.Span.milliseconds(.min) * 3 == .init(nanoseconds: .min))
  }
}
