import { themeChoices, useTheme } from '../../../session/identity/theme.ts'
import { Hotkeys } from '../../../ui/Hotkeys.tsx'
import { Logo } from '../../../ui/text/Logo.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { AlertSamples } from './AlertSamples.tsx'
import { ButtonSamples } from './ButtonSamples.tsx'
import { FieldSamples } from './FieldSamples.tsx'
import { FloatSamples } from './FloatSamples.tsx'
import { ListSamples } from './ListSamples.tsx'
import { MarkSamples } from './MarkSamples.tsx'
import { SecretSamples } from './SecretSamples.tsx'
import './ui-gallery.css'
import { Samples } from './Samples.tsx'
import { ErrorScreen } from '../../../ui/ErrorScreen.tsx'
import { FailedPane } from '../../../ui/PaneBoundary.tsx'
import { useState } from 'react'
import { Tabs, type TabStyle } from '../../../ui/navigation/Tabs.tsx'

const looks: TabStyle[] = ['underlined', 'pills', 'rounded-pills']
const tabs = [
  { id: 'overview', label: 'Overview' },
  { id: 'sessions', label: 'Sessions', count: 2 },
  { id: 'logs', label: 'Logs' },
  { id: 'drains', label: 'Drains', disabled: true },
] as const

function TabSamples() {
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

const translated = new Error(
  "Failed to execute 'removeChild' on 'Node': The node to be removed is not a child of this node.",
)

function ErrorSamples() {
  return (
    <Samples title="Errors: a screen, and a part of one">
      <div className="card">
        <ErrorScreen
          error={translated}
          reference="4f1c90aa"
          supportHref="mailto:support@plinth.test"
          production
          home="/organizations"
          inside
        />
      </div>
      <div className="card">
        <FailedPane
          what="the assistant"
          error={new Error('The connection to the model was lost')}
          resetErrorBoundary={() => {}}
        />
      </div>
    </Samples>
  )
}

const tokens =
  'surface-0 surface-1 surface-2 surface-3 line line-strong line-control text-faint text-muted text accent accent-hover accent-line accent-soft accent-text focus danger danger-fill danger-line danger-soft warning warning-line warning-soft success success-line success-soft info info-line info-soft text-disabled chart-1 chart-2 chart-3 chart-4 chart-5 code-keyword code-string code-number code-function code-comment'.split(
    ' ',
  )

function ColourSamples() {
  return (
    <Samples title="Colour">
      <div className="swatches">
        {tokens.map((token) => (
          <div key={token}>
            <i style={{ background: `var(--${token})` }} />
            <span>{token}</span>
          </div>
        ))}
      </div>
    </Samples>
  )
}

/** /__ui: every component in every state, in the chosen theme. */
export function UiGallery() {
  const [theme, setTheme] = useTheme()
  return (
    <div className="gallery">
      <header className="gallery-head">
        <Logo size={24} />
        <h1>Plinth components</h1>
        <Segmented label="Theme" options={themeChoices} value={theme} onChange={setTheme} />
      </header>
      <main className="gallery-sheet">
        <div>
          <ColourSamples />
          <ButtonSamples />
          <FieldSamples />
          <ListSamples />
          <ErrorSamples />
        </div>
        <div>
          <MarkSamples />
          <TabSamples />
          <AlertSamples />
          <SecretSamples />
          <FloatSamples />
        </div>
      </main>
      <Hotkeys />
    </div>
  )
}
