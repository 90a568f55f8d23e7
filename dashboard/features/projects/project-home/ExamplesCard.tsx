import { useContent } from '../../../session/organization/mode.ts'
import { useDisabledFeatures } from '../../../session/identity/profile.ts'
import { Card } from '../../../ui/Card.tsx'

/** Projects to begin with, as the operator of this installation names them. */
export function ExamplesCard() {
  const { example_projects: examples } = useContent()
  const off = useDisabledFeatures()
  if (examples.length === 0 || off('project_homepage:show_examples')) return null
  return (
    <Card title="Example projects" padded={false}>
      <ul className="examples">
        {examples.map(({ title, description, url }) => (
          <li key={url}>
            <a className="link" href={url} target="_blank" rel="noreferrer">
              {title}
            </a>
            <span className="muted t12">{description}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
