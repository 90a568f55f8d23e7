import { keepRunning } from './launcher/children.ts'
import { layFoundation } from './launcher/foundation.ts'
import { httpsNotes } from './launcher/https-notes.ts'
import { launch, type Launcher } from './launcher/launch.ts'
import { adminHint } from './self-hosted.ts'

/**
 * The whole platform on this machine: its own Postgres, the control plane and the data plane, which are two processes,
 * so that a heavy project never blocks the dashboard. Prints one line when it serves.
 */
await launch(start)

async function start(launcher: Launcher): Promise<void> {
  const { config, ending, files, say, complain, end } = launcher
  const foundation = await layFoundation(launcher)
  if (!foundation) return
  const { environment } = foundation
  // The data plane ends first: its last figures, and that it goes, are for the control plane to hear.
  const children = ['control-plane', 'data-plane'].map((name) => {
    const child = keepRunning({ name, environment, onCrash: complain, files })
    ending.add(`the ${name}`, () => child.stop(3000))
    return child
  })
  try {
    await Promise.all(children.map((child) => child.ready))
  } catch {
    // The program has said why on its own error output.
    return end(1)
  }
  const hint = config.selfHosted && adminHint(config.home, config.selfHosted.adminEmail)
  if (hint) say(hint)
  say(`servers of projects: ${await foundation.held()}`)
  for (const note of httpsNotes(config)) say(note)
  say(`ready ${config.url} in ${launcher.sinceStart()} ms`)
  say(`  data: ${config.home}`)
  if (config.mode === 'platform') {
    say('  next: open the address and sign up, or run: npx plinth projects create')
  }
  say('  stop: Ctrl-C')
}
