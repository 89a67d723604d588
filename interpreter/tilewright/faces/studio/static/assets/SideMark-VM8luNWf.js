<<<<<<<< HEAD:interpreter/tilewright/faces/studio/static/assets/SideMark-_NtIsI-j.js
import"./index-CuxxDrG1.js";import{Ot as e,Q as t,bt as n,et as r,kt as i,mt as a,nt as o,z as s}from"./channel.svelte-Dnxa6gQZ.js";var c=o(`<span class="mark svelte-o925ph"> </span>`);function l(o,l){i(l,!0);var u=c();let d;var f=n(u,!0);a(()=>{d=s(u,``,d,{background:`var(--side-${`abcdef`[l.side]})`}),t(f,`ABCDEF`[l.side])}),r(o,u),e()}export{l as t};
========
import"./index-wUxpBVmw.js";import{Ot as e,Q as t,bt as n,et as r,kt as i,mt as a,nt as o,z as s}from"./channel.svelte-C2acuwof.js";var c=o(`<span class="mark svelte-o925ph"> </span>`);function l(o,l){i(l,!0);var u=c();let d;var f=n(u,!0);a(()=>{d=s(u,``,d,{background:`var(--side-${`abcdef`[l.side]})`}),t(f,`ABCDEF`[l.side])}),r(o,u),e()}export{l as t};
>>>>>>>> drafts:interpreter/tilewright/faces/studio/static/assets/SideMark-VM8luNWf.js
