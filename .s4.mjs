import { open, shot } from './.shot.mjs'
const b = await open(); const base='http://127.0.0.1:5199'; const storage='/tmp/dash-state.json'
const S=(path,o)=>shot(b,base,path,{storage,...o})
import { readFileSync } from 'node:fs'
const st=JSON.parse(readFileSync(storage)); const tok=JSON.parse(st.origins[0].localStorage.find(x=>x.name==='plinth.session').value).access_token
const orgs=await (await fetch('http://127.0.0.1:8500/platform/organizations',{headers:{authorization:'Bearer '+tok}})).json(); const slug=orgs[0].slug
const pr=(await (await fetch(`http://127.0.0.1:8500/platform/organizations/${slug}/projects`,{headers:{authorization:'Bearer '+tok}})).json()).projects; const ref=pr[0]?.ref
console.log(slug,ref,pr.map(p=>p.status))
