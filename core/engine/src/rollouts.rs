//! Tree search with rollouts (UCT). `play/bots/mcts.py` explains it, and has the same in Python.
//!
//! Both choose the same with the same seed, so random numbers are taken in the same order, and sums
//! are made by the same operations in the same order. A fault ends the search: Python does it again.

use std::collections::HashMap;
use std::hint::black_box;

use crate::chance::Twister;
use crate::game::Game;
use crate::play::{Player, MAX_CHOICES};
use crate::search::{copy_for_trial, end_here, lead, Trials};
use crate::state::{Fault, State};
use crate::worlds::{exchangeable, piece_in, put_in, Places};

/// How many decisions of a turn the opinion of the greedy bot looks at.
const DEPTH: usize = 3;

/// How a search is made.
#[derive(Clone, Copy)]
pub struct Settings {
    /// Turns that a rollout goes on at random.
    pub ahead: i64,
    /// How many rollouts the opinion of the greedy bot counts for.
    pub opinion: f64,
    /// How much is tried out, in standard deviations of the rollouts.
    pub curiosity: f64,
}

/// A decision in the tree: for each option the rollouts, the lead they add up to, and what follows.
struct Node {
    to_move: i64,
    visits: i64,
    rollouts: Vec<i64>,
    leads: Vec<i64>,
    opinion: Option<Vec<f64>>,
    after: HashMap<Box<[i64]>, usize>,
}

impl Node {
    fn new(state: &State) -> Node {
        Node {
            to_move: state.to_move,
            visits: 0,
            rollouts: vec![0; state.count as usize],
            leads: vec![0; state.count as usize],
            opinion: None,
            after: HashMap::new(),
        }
    }
}

/// The search for one decision.
pub struct Rollouts {
    root: State,
    world: State,
    trials: Trials,
    lots: Twister,
    hidden: Vec<Places>,
    settings: Settings,
    nodes: Vec<Node>,
    path: Vec<(usize, usize)>,
    key: Vec<i64>,
    total: f64,
    squares: f64,
}

impl Rollouts {
    /// A search from the decision of a match. Err when there is none.
    pub fn new(
        game: &Game,
        state: &State,
        lots: Twister,
        settings: Settings,
    ) -> Result<Rollouts, Fault> {
        if state.to_move < 0 {
            return Err(Fault::Broken);
        }
        let mut root = state.clone();
        copy_for_trial(&mut root, state);
        Ok(Rollouts {
            world: root.clone(),
            trials: Trials::default(),
            nodes: vec![Node::new(&root)],
            root,
            lots,
            hidden: exchangeable(game, state)?,
            settings,
            path: Vec::new(),
            key: Vec::new(),
            total: 0.0,
            squares: 0.0,
        })
    }

    /// The option most often tried; of these the one with the best lead, then the first.
    pub fn best(&self) -> i64 {
        let node = &self.nodes[0];
        let mean = |k: usize| node.leads[k] as f64 / node.rollouts[k].max(1) as f64;
        let mut best = 0;
        for k in 1..node.rollouts.len() {
            let (tried, most) = (node.rollouts[k], node.rollouts[best]);
            if tried > most || tried == most && mean(k) > mean(best) {
                best = k;
            }
        }
        best as i64
    }

    /// One more world, played from the root to the horizon.
    pub fn roll_out(&mut self, player: &mut Player<'_>) -> Result<(), Fault> {
        self.imagine();
        self.path.clear();
        self.descend(player)?;
        let horizon = self.world.turn.saturating_add(self.settings.ahead);
        let world = &mut self.world;
        let mut choices = 0;
        while world.to_move >= 0 && world.turn < horizon {
            let k = (self.lots.random() * world.count as f64) as i64;
            player.choose(world, k)?;
            choices += 1;
            if choices > MAX_CHOICES {
                return Err(Fault::Beyond);
            }
        }
        end_here(player, world)?;
        let value = lead(&world.points, self.nodes[0].to_move)? as f64;
        self.total += value;
        self.squares += value * value;
        for &(number, k) in &self.path {
            let node = &mut self.nodes[number];
            node.visits += 1;
            node.rollouts[k] += 1;
            node.leads[k] += lead(&world.points, node.to_move)?;
        }
        Ok(())
    }

    /// Make the world a copy of the root in which everything hidden from the player is different.
    fn imagine(&mut self) {
        self.world.copy_from(&self.root);
        for stream in &mut self.world.streams {
            *stream = self.lots.bits_64();
        }
        for places in &self.hidden {
            for i in (1..places.len()).rev() {
                let j = self.lots.below(i as u32 + 1) as usize;
                let (one, other) = (places[i], places[j]);
                let piece = piece_in(&self.world, one);
                let instead = piece_in(&self.world, other);
                put_in(&mut self.world, one, instead);
                put_in(&mut self.world, other, piece);
            }
        }
    }

    /// Follow the tree to a position that is new in it.
    fn descend(&mut self, player: &mut Player<'_>) -> Result<(), Fault> {
        let mut node = 0;
        loop {
            if self.nodes[node].opinion.is_none()
                && self.world.turn == self.root.turn
                && self.settings.opinion != 0.0
            {
                let opinion = if self.nodes[node].to_move == self.root.to_move {
                    self.opinion(player)?
                } else {
                    Vec::new()
                };
                self.nodes[node].opinion = Some(opinion);
            }
            let k = self.tried(node);
            self.path.push((node, k));
            player.choose(&mut self.world, k as i64)?;
            if self.world.to_move < 0 {
                return Ok(());
            }
            self.identify(k);
            if let Some(&known) = self.nodes[node].after.get(self.key.as_slice()) {
                node = known;
                continue;
            }
            let new = self.nodes.len();
            self.nodes.push(Node::new(&self.world));
            self.nodes[node]
                .after
                .insert(self.key.as_slice().into(), new);
            return Ok(());
        }
    }

    /// What tells the position after option `k` from others: the decision and its options.
    fn identify(&mut self, k: usize) {
        let world = &self.world;
        self.key.clear();
        self.key
            .extend([k as i64, world.to_move, world.site, world.count]);
        if world.by_edges {
            self.key.extend([-1, world.piece]);
        } else {
            self.key.push(world.option_parts as i64);
            self.key.extend_from_slice(&world.options);
        }
    }

    /// The greedy bot's value of each option, relative to the mean of all.
    fn opinion(&mut self, player: &mut Player<'_>) -> Result<Vec<f64>, Fault> {
        let values = self.trials.option_values(player, &self.world, DEPTH)?;
        let mean = values.iter().sum::<i64>() as f64 / values.len() as f64;
        Ok(values.iter().map(|&value| value as f64 - mean).collect())
    }

    /// The option to try next: that with the highest upper bound of its lead.
    fn tried(&mut self, number: usize) -> usize {
        let reach = self.settings.curiosity * self.spread();
        let node = &self.nodes[number];
        let opinion = node.opinion.as_deref().unwrap_or(&[]);
        if opinion.is_empty() {
            let fresh = || (0..node.rollouts.len()).filter(|&k| node.rollouts[k] == 0);
            let many = fresh().count();
            if many > 0 {
                let lot = (self.lots.random() * many as f64) as usize;
                return fresh().nth(lot).unwrap_or(0);
            }
        }
        let weight = if opinion.is_empty() {
            0.0
        } else {
            self.settings.opinion
        };
        let mean = if node.visits == 0 {
            0.0
        } else {
            node.leads.iter().sum::<i64>() as f64 / node.visits as f64
        };
        let reach = reach * ((node.visits + 1) as f64).ln().sqrt();
        let (mut best, mut found) = (-1e18, 0);
        for (k, (&lead, &tried)) in node.leads.iter().zip(&node.rollouts).enumerate() {
            let (mut lead, mut tried) = (lead as f64, tried as f64);
            if let Some(own) = opinion.get(k) {
                lead += weight * (mean + own);
                tried += weight;
            }
            let bound = lead / tried + reach / tried.sqrt();
            if bound > best {
                (best, found) = (bound, k);
            }
        }
        found
    }

    /// The standard deviation of the rollouts so far, in points.
    fn spread(&self) -> f64 {
        let n = self.nodes[0].visits;
        if n < 2 {
            return 1.0;
        }
        let n = n as f64;
        // the library's power, as Python uses it: a product may differ from it in the last digit
        let square = (self.total / n).powf(black_box(2.0));
        (self.squares / n - square).max(1.0).sqrt()
    }
}
