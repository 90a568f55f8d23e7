import { useState } from 'react'
import { GitBranch, ClockAlert, Gauge, Siren } from 'lucide-react'
import { themeChoices, useTheme } from '../../../session/identity/theme.ts'
import { Hotkeys } from '../../../ui/Hotkeys.tsx'
import { Logo } from '../../../ui/text/Logo.tsx'
import { Segmented } from '../../../ui/controls/Segmented.tsx'
import { CodeBlock } from '../../../ui/text/CodeBlock.tsx'
import { CopyButton } from '../../../ui/controls/CopyButton.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { strengthView } from '../../../ui/controls/password-strength.ts'
import { SecretText } from '../../../ui/text/SecretText.tsx'
import { StrengthMeter } from '../../../ui/controls/StrengthMeter.tsx'
import { ErrorScreen } from '../../../ui/ErrorScreen.tsx'
import { FailedPane } from '../../../ui/PaneBoundary.tsx'
import { Tabs, type TabStyle } from '../../../ui/navigation/Tabs.tsx'
import { Avatar } from '../../../ui/text/Avatar.tsx'
import { Badge } from '../../../ui/text/Badge.tsx'
import { Keys, Kbd } from '../../../ui/text/Keys.tsx'
import { Meter } from '../../../ui/Meter.tsx'
import { Progress } from '../../../ui/Progress.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Status } from '../../../ui/text/Status.tsx'
import { Time } from '../../../ui/text/Time.tsx'
import { Alert, type AlertVariant } from '../../../ui/Alert.tsx'
import { Banner } from '../../../ui/Banner.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { Callout, type CalloutType } from '../../../ui/Callout.tsx'
import { FieldSamples, ButtonSamples, ListSamples, Samples } from './ControlSamples.tsx'
import { FloatSamples } from './FloatSamples.tsx'
import './ui-gallery.css'

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

const checked = (score: number) => ({ score, feedback: { warning: '', suggestions: [] } })
const sql = `-- only one's own rows\nselect id, total from orders\nwhere customer = auth.uid() and total > 100`
const js = `import { createClient } from '@supabase/supabase-js'\nconst client = createClient(url, key) // anon`

function SecretSamples() {
  return (
    <>
      <Samples title="Copy, secrets, code">
        <div className="stack">
          <div>
            <CopyButton text="hvbnxqtrmzwklsydpcgf" what="project ref">
              hvbnxqtrmzwklsydpcgf
            </CopyButton>
          </div>
          <CopyText
            text="http://localhost:8001/hvbnxqtrmzwklsydpcgf"
            what="project URL"
            label="URL"
          />
          <SecretText secret="sk_4f1c90aa7b1e4c02b4fQa" what="secret key" label="Secret key" />
          <CodeBlock code={sql} language="sql" what="query" />
          <CodeBlock code={js} language="js" what="snippet" />
        </div>
      </Samples>
      <Samples title="Password strength">
        <div className="stack">
          {[0, 1, 2, 3, 4].map((score) => (
            <StrengthMeter key={score} view={strengthView('x', checked(score))} />
          ))}
          <StrengthMeter view={strengthView('x'.repeat(100), undefined)} />
        </div>
      </Samples>
    </>
  )
}

function MarkSamples() {
  return (
    <Samples title="Badges, status, keys, meters">
      <div className="flow">
        <Badge>Pro</Badge>
        <Badge tone="solid">Production</Badge>
        <Badge tone="success" dot>
          Healthy
        </Badge>
        <Badge tone="warning" dot>
          Degraded
        </Badge>
        <Badge tone="danger" dot>
          Failed
        </Badge>
        <Badge tone="info">Alpha</Badge>
        <Badge icon={GitBranch}>main</Badge>
      </div>
      <div className="flow">
        <Status tone="success">Healthy</Status>
        <Status tone="warning">Unhealthy</Status>
        <Status tone="danger">Failed</Status>
        <Status tone="off">Unknown</Status>
        <Status tone="paused">Paused</Status>
        <Status tone="working">Coming up</Status>
      </div>
      <div className="flow">
        <Keys of="mod+k" />
        <Keys of="g l" />
        <Keys of="shift+enter" />
        <Kbd>?</Kbd>
        <Avatar name="Ines Okafor" />
        <Avatar name="Kestrel" square />
        <Avatar name="Kestrel" square size={20} />
        <Avatar name="Kestrel" square size={32} />
        <Avatar name="Ines Okafor" size={40} />
        <Time at="2025-11-18T09:41:07Z" />
      </div>
      <div className="two">
        <Meter label="Half" percent={50} />
        <Meter label="Nearly full" percent={91} tone="warning" />
        <Meter label="Full" percent={100} tone="danger" />
        <Meter label="Good" percent={100} tone="success" />
        <Progress label="Working" />
        <Skeleton width="60%" />
      </div>
    </Samples>
  )
}

const variants: AlertVariant[] = ['danger', 'warning', 'info', 'success', 'neutral']
const types: CalloutType[] = [
  'note',
  'tip',
  'caution',
  'warning',
  'danger',
  'destructive',
  'deprecation',
]

function AlertSamples() {
  return (
    <>
      <Samples title="Alerts">
        <div className="stack">
          {variants.map((variant) => (
            <Alert
              key={variant}
              variant={variant}
              title={`An alert of the kind ${variant}`}
              action={variant === 'danger' && <Button>Try again</Button>}
            >
              What happened, and what to do next.
            </Alert>
          ))}
        </div>
      </Samples>
      <Samples title="Callouts">
        <div className="stack">
          {types.map((type) => (
            <Callout key={type} type={type}>
              Views run with the rights of their owner.
            </Callout>
          ))}
        </div>
      </Samples>
      <Samples title="Banners">
        <Banner variant="danger" icon={Siren}>
          We are currently investigating a technical issue
        </Banner>
        <Banner
          variant="warning"
          icon={Gauge}
          link={
            <button type="button" className="link">
              View Details
            </button>
          }
        >
          Organization plan has exceeded its quota
        </Banner>
        <Banner variant="notice" icon={ClockAlert} onDismiss={() => {}}>
          Your computer's clock appears to be inaccurate.
        </Banner>
      </Samples>
    </>
  )
}
