import type { ProjectListItem } from '#contract/projects/projects'
import { ProjectCard } from './ProjectCard.tsx'

/** The list as cards; undefined while loading. */
export function ProjectCards({ projects }: { projects: readonly ProjectListItem[] | undefined }) {
  return (
    <div className="cards">
      {projects
        ? projects.map((project) => <ProjectCard key={project.ref} project={project} />)
        : [1, 2, 3].map((place) => (
            <div key={place} className="pc" style={{ height: 170 }} aria-hidden />
          ))}
    </div>
  )
}
