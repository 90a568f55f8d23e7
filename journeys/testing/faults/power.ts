import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { runsAsRoot } from '#kit/postgres/os-user'
import { until } from '../processes.ts'
import { homesVariable } from '../platform.ts'

const run = promisify(execFile)

/** A home on a disk whose power can be cut: what no program has asked to be on the disk is lost then. */
export type Disk = {
  home: string
  /** Nothing reaches the disk from here on. Ends every program of the home, and mounts what the disk holds. */
  cutPower(): Promise<void>
  remove(): Promise<void>
}

/** EXT4_IOC_SHUTDOWN without the flush of its journal (2): what file system tests cut the power with. Node has no ioctl. */
const shutDown = `open(my $at, '<', $ARGV[0]) or die $!; my $flag = pack('L', 2); ioctl($at, 0x8004587d, $flag) or die $!`

/** Undefined where there is no root, no disk of a file, or no ext4. */
export function diskOfItsOwn(): Disk | undefined {
  if (!runsAsRoot()) return undefined
  const folder = mkdtempSync(join(process.env[homesVariable] ?? tmpdir(), 'plinth-power-'))
  chmodSync(folder, 0o711)
  const at = join(folder, 'disk')
  let image = join(folder, 'image-0')
  let cuts = 0
  mkdirSync(at)
  try {
    execFileSync('truncate', ['-s', '6G', image])
    execFileSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', image])
    execFileSync('mount', ['-o', 'loop', image, at], { stdio: 'ignore' })
  } catch {
    execFileSync('rm', ['-rf', folder])
    return undefined
  }
  const home = join(at, 'home')
  mkdirSync(home, { mode: 0o711 })
  const unmount = () =>
    until('the disk is given free', async () => {
      if (endAllIn(at) > 0) return false
      return run('umount', [at]).then(
        () => true,
        () => false,
      )
    })
  return {
    home,
    async cutPower() {
      await run('perl', ['-e', shutDown, at])
      await unmount()
      // Servers of other platforms that began meanwhile have the old disk in their view of the machine, and keep it.
      const next = join(folder, `image-${(cuts += 1)}`)
      await run('cp', ['--sparse=always', image, next])
      await rm(image)
      image = next
      await run('mount', ['-o', 'loop', image, at])
    },
    async remove() {
      await unmount()
      await rm(folder, { recursive: true })
    },
  }
}

/** Every process that works in this folder, or was started for a home in it. Returns how many there were. */
function endAllIn(folder: string): number {
  let found = 0
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    if (Number(name) === process.pid) continue
    try {
      const worksIn = readlinkSync(join('/proc', name, 'cwd')).startsWith(folder)
      const environment = readFileSync(join('/proc', name, 'environ'), 'utf8').split('\0')
      if (!worksIn && !environment.some((line) => line.startsWith(`PLINTH_HOME=${folder}/`)))
        continue
      process.kill(Number(name), 'SIGKILL')
      found += 1
    } catch {
      // The process ended while it was being looked at.
    }
  }
  return found
}
