import { useState } from 'react'
import { SearchField } from '../../ui/controls/SearchField.tsx'
import { SidePanel } from '../../ui/floats/SidePanel.tsx'
import { Switch } from '../../ui/controls/Switch.tsx'
import { SessionList } from './SessionList.tsx'
import '../../ui/lists/list-page.css'

type Props = { projectRef: string; open: boolean; onClose: () => void }

/** What runs now, beside the page one is on. */
export function RunningQueriesPanel({ projectRef, open, onClose }: Props) {
  const [words, setWords] = useState('')
  const [idleToo, setIdleToo] = useState(false)
  return (
    <SidePanel open={open} size="xlarge" title="Running queries" onClose={onClose}>
      <div className="narrow-bar">
        <SearchField keys={false} label="Find a session" value={words} onChange={setWords} />
        <Switch label="Idle too" checked={idleToo} onChange={setIdleToo} />
      </div>
      <SessionList
        short
        projectRef={projectRef}
        words={words}
        idleToo={idleToo}
        onShowAll={() => {
          setWords('')
          setIdleToo(true)
        }}
      />
    </SidePanel>
  )
}
