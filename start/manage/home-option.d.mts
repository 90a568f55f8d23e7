export function takeHome(typed: readonly string[]): {
  home?: string
  rest: string[]
  problem?: string
}
