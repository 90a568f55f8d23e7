import { join } from 'node:path'
import { root } from '#kit/root'

/** Journeys walk through the built product. */
export async function setup(): Promise<void> {
  if (process.env['PLINTH_BUILT']) return
  // A plain script of the build; it has no types.
  const { buildIfStale } = (await import(join(root, 'start/build.mjs'))) as {
    buildIfStale(): Promise<void>
  }
  await buildIfStale()
}
