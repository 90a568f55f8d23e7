import { BuildError } from './build.ts'

/** A kind of machine as node names it, such as `linux-x64`. */
type Machine = { platform: string; arch: string }

const elfMachines: Record<number, string> = { 3: 'ia32', 40: 'arm', 62: 'x64', 183: 'arm64' }
const machMachines: Record<number, string> = { 0x0100_0007: 'x64', 0x0100_000c: 'arm64' }

/**
 * Says whether the server of this machine could load a library, by the first bytes of it (64 are enough). Whether it was
 * built for this version of Postgres is asked of a server.
 * @throws BuildError
 */
export function checkLibrary(name: string, head: Buffer, { platform, arch }: Machine): void {
  const made = machinesOf(head)
  if (made === undefined) throw new BuildError(`${name} is no shared library`)
  if (made.includes(`${platform}-${arch}`)) return
  throw new BuildError(
    `${name} was built for ${made.join(' and ') || 'another kind of machine'}, this machine is ${platform}-${arch}`,
  )
}

/** Those that a library was built for; undefined when it is none. */
function machinesOf(head: Buffer): string[] | undefined {
  if (head.length < 32) return undefined
  if (head.readUInt32BE(0) === 0x7f45_4c46) return elfMachine(head)
  if (head.readUInt32LE(0) === 0xfeed_facf) return machMachine(head.readUInt32LE(4))
  if (head.readUInt32BE(0) === 0xcafe_babe) return fatMachines(head)
  return undefined
}

function elfMachine(head: Buffer): string[] | undefined {
  const [is64, isLittle] = [head[4] === 2, head[5] === 1]
  if (!isLittle) return []
  const sharedObject = 3
  if (head.readUInt16LE(16) !== sharedObject) return undefined
  const arch = elfMachines[head.readUInt16LE(18)]
  return arch !== undefined && is64 === arch.endsWith('64') ? [`linux-${arch}`] : []
}

const machMachine = (cpu: number): string[] => {
  const arch = machMachines[cpu]
  return arch === undefined ? [] : [`darwin-${arch}`]
}

function fatMachines(head: Buffer): string[] {
  const count = Math.min(head.readUInt32BE(4), Math.floor((head.length - 8) / 20))
  return Array.from({ length: count }, (_, n) => machMachine(head.readUInt32BE(8 + n * 20))).flat()
}
