import type { Project, ProjectSettings } from '#contract/projects/projects'
import { Card } from '../../../ui/Card.tsx'
import { CopyText } from '../../../ui/text/CopyText.tsx'
import { ErrorNote } from '../../../ui/ErrorNote.tsx'
import { SecretText } from '../../../ui/text/SecretText.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'

type Props = {
  project: Project
  /** Undefined while they are read. */
  settings: ProjectSettings | undefined
  error: Error | null
  onRetry: () => void
}

/** The URL and keys that clients are made with. */
export function ApiCard({ project, settings, error, onRetry }: Props) {
  return (
    <Card title="API">
      <div className="form-stack">
        <div className="labelled">
          <span>Project URL</span>
          <CopyText text={project.public_url} what="project URL" />
        </div>
        {error ? (
          <ErrorNote what="API keys" error={error} onRetry={onRetry} />
        ) : (
          <>
            <Key
              of="anon"
              name="Anon key"
              about="For browsers and apps. Row level security decides what it sees."
              settings={settings}
            />
            <Key
              of="service_role"
              name="Service key"
              about="For your servers only. Bypasses every policy."
              settings={settings}
            />
          </>
        )}
      </div>
    </Card>
  )
}

type KeyProps = {
  of: 'anon' | 'service_role'
  name: string
  about: string
  settings: ProjectSettings | undefined
}

/** Where the legacy keys are disabled, keys of the new kind stand in their place. */
const keyLabels = new Map([
  ['publishable key', 'Publishable key'],
  ['secret key', 'Secret key'],
])

function Key({ of: tag, name: usual, about, settings }: KeyProps) {
  const found = settings?.service_api_keys.find((candidate) => candidate.tags === tag)
  const name = keyLabels.get(found?.name ?? '') ?? usual
  return (
    <div className="labelled">
      <span>
        {name}
        <span className="muted">{about}</span>
      </span>
      <KeyBox
        name={name}
        loaded={settings !== undefined}
        secret={found?.api_key}
        open={tag === 'anon'}
      />
    </div>
  )
}

type BoxProps = { name: string; loaded: boolean; secret: string | undefined; open: boolean }

function KeyBox({ name, loaded, secret, open }: BoxProps) {
  if (!loaded)
    return (
      <div className="in f">
        <Skeleton width="60%" />
      </div>
    )
  const what = name.toLowerCase()
  if (secret)
    return open ? (
      <CopyText text={secret} what={what} />
    ) : (
      <SecretText secret={secret} what={what} />
    )
  return (
    <div className="in f" aria-disabled>
      Your role cannot read this key
    </div>
  )
}
