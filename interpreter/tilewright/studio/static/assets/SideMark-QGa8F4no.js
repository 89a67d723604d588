<<<<<<< HEAD:interpreter/tilewright/studio/static/assets/SideMark-DX7BE-g8.js
<<<<<<<< HEAD:interpreter/tilewright/studio/static/assets/SideMark-BmJQLrgu.js
import{Ct as e,R as t,St as n,Y as r,Z as i,ct as a,mt as o,q as s}from"./index-t2psl3sF.js";var c=i(`<span class="mark svelte-o925ph"> </span>`);function l(i,l){e(l,!0);var u=c();let d;var f=o(u,!0);a(()=>{d=t(u,``,d,{background:`var(--side-${`abcdef`[l.side]})`}),s(f,`ABCDEF`[l.side])}),r(i,u),n()}export{l as t};
========
import{Ct as e,R as t,St as n,Y as r,Z as i,ct as a,mt as o,q as s}from"./index-MGz0mfUr.js";var c=i(`<span class="mark svelte-o925ph"> </span>`);function l(i,l){e(l,!0);var u=c();let d;var f=o(u,!0);a(()=>{d=t(u,``,d,{background:`var(--side-${`abcdef`[l.side]})`}),s(f,`ABCDEF`[l.side])}),r(i,u),n()}export{l as t};
>>>>>>>> 436edbbc (Build of the page):interpreter/tilewright/studio/static/assets/SideMark-DX7BE-g8.js
=======
import{Ct as e,R as t,St as n,Y as r,Z as i,ct as a,mt as o,q as s}from"./index-Bvhzl3Z3.js";var c=i(`<span class="mark svelte-o925ph"> </span>`);function l(i,l){e(l,!0);var u=c();let d;var f=o(u,!0);a(()=>{d=t(u,``,d,{background:`var(--side-${`abcdef`[l.side]})`}),s(f,`ABCDEF`[l.side])}),r(i,u),n()}export{l as t};
>>>>>>> 405ace6d (The moves of points and figures have a word that no ruleset has):interpreter/tilewright/studio/static/assets/SideMark-QGa8F4no.js
