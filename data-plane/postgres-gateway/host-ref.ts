import { ProjectRef } from '#contract/values'

/** The project that the name of a host names by its first part, as in `abcdefghijklmnopqrst.example.com`. */
export function refOfHost(host: string | undefined): string | undefined {
  const [first, ...rest] = host?.toLowerCase().split('.') ?? []
  return rest.length > 0 && ProjectRef.safeParse(first).success ? first : undefined
}
