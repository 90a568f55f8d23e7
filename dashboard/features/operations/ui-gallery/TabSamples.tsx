import { useState } from 'react'
import { Tabs, type TabStyle } from '../../../ui/navigation/Tabs.tsx'
import { Samples } from './Samples.tsx'

const looks: TabStyle[] = ['underlined', 'pills', 'rounded-pills']
const tabs = [
  { id: 'overview', label: 'Overview' },
  { id: 'sessions', label: 'Sessions', count: 2 },
  { id: 'logs', label: 'Logs' },
  { id: 'drains', label: 'Drains', disabled: true },
] as const

export function TabSamples() {
  const [tab, setTab] = useState<(typeof tabs)[number]['id']>('overview')
  return (
    <Samples title="Tabs: underlined, pills, rounded pills">
      <div className="stack">
        {looks.map((look) => (
          <Tabs key={look} label={look} look={look} tabs={tabs} value={tab} onChange={setTab} />
        ))}
      </div>
    </Samples>
  )
}
