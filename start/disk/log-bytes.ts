import { mkdir, statfs } from 'node:fs/promises'

const most = 20 * 1024 ** 3
const share = 0.1

/** Bytes that logs may take where nobody has said: a tenth of the disk that `home` is on, and 20 GB at most. */
export async function usualLogBytes(home: string): Promise<number> {
  await mkdir(home, { recursive: true, mode: 0o700 })
  const { bsize, blocks } = await statfs(home)
  return Math.min(most, Math.floor(bsize * blocks * share))
}
