import { useLocation, useRouter } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import { assistantOf, setAssistantOpen, useAssistantPanel } from '../modules/assistant/assistant.ts'
import { usePreferences } from '../session/identity/preferences.ts'
import { useWhere } from '../session/project/where.ts'
import { useCommands } from '../ui/floats/commands.ts'
import { reportCrash } from '../session/telemetry/error-report.ts'
import { PaneBoundary } from '../ui/PaneBoundary.tsx'

const AssistantPanel = lazy(() =>
  import('../features/assistant/assistant/AssistantPanel.tsx').then((m) => ({
    default: m.AssistantPanel,
  })),
)

const name = 'aiAssistantPanelOpen'

/** The place at the right for a project's assistant; its code is loaded when it is first open. */
export function AssistantSlot() {
  const { ref } = useWhere()
  return ref ? <ProjectAssistant key={ref} projectRef={ref} /> : null
}

function ProjectAssistant({ projectRef }: { projectRef: string }) {
  const open = useAssistantPanel((panel) => panel.open[projectRef]) ?? false
  const hotkey = usePreferences((p) => p.assistantHotkey)
  useForcedOpen(projectRef)
  useCommands([
    {
      id: 'assistant',
      section: 'Actions',
      name: open ? 'Close the assistant' : 'Open the assistant',
      icon: Sparkles,
      ...(hotkey ? { keys: 'mod+i' } : {}),
      everywhere: true,
      run: () => void setAssistantOpen(projectRef, !open),
    },
  ])
  if (!open) return null
  return (
    <Part of="the assistant">
      <Suspense>
        <AssistantPanel projectRef={projectRef} />
      </Suspense>
    </Part>
  )
}

/**
 * Whether it was open is read from the browser's storage; `aiAssistantPanelOpen=true` or `false` in the address decides
 * instead (requirements §2), once: it leaves the address, so that the panel can still be closed or opened by hand.
 */
function useForcedOpen(projectRef: string) {
  const { history } = useRouter()
  const forced = useLocation({
    select: ({ searchStr }) => new URLSearchParams(searchStr).get(name) ?? undefined,
  })
  useEffect(() => {
    if (forced !== 'true' && forced !== 'false') {
      void assistantOf(projectRef)
      return
    }
    void setAssistantOpen(projectRef, forced === 'true')
    const { pathname, search, hash } = history.location
    const query = new URLSearchParams(search)
    query.delete(name)
    history.replace(pathname + (query.size ? `?${query}` : '') + hash)
  }, [forced, projectRef, history])
}

/** A part of the frame: when it fails, the page and the other parts go on. */
export const Part = ({ of, children }: { of: string; children: ReactNode }) => (
  <PaneBoundary what={of} onError={reportCrash}>
    {children}
  </PaneBoundary>
)
